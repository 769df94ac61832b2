/** The regions that the real plugin knows without asking. */
export const regions: ReadonlySet<string> = new Set([
    "cn-hangzhou", "cn-qingdao", "cn-beijing", "cn-shenzhen", "cn-hongkong", "cn-shanghai", "cn-zhangjiakou", "cn-huhehaote", "cn-chengdu",
    "cn-heyuan", "cn-wulanchabu", "cn-guangzhou", "cn-nanjing", "cn-fuzhou", "cn-zhongwei",
    "us-west-1", "us-east-1", "us-southeast-1",
    "ap-northeast-1", "ap-northeast-2", "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-5", "ap-southeast-6",
    "ap-southeast-7", "ap-southeast-8", "ap-south-1", "me-east-1", "me-central-1", "eu-central-1", "eu-west-1", "rus-west-1",
    "cn-north-2-gov-1", "cn-shenzhen-finance-1", "cn-szfinance", "cn-shenzhen-finance", "cn-shanghai-finance-1-pub", "cn-shanghai-finance-1",
    "cn-hangzhou-finance", "cn-hzjbp", "cn-hzfinance", "cn-beijing-finance-1", "cn-beijing-finance-1-pub",
]);
