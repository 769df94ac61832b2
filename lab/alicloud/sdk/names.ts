/** Products whose names and versions appear on the wire. */
export const products = {
    slb: { name: "Slb", version: "2014-05-15" },
    nlb: { name: "Nlb", version: "2022-04-30" },
    vpc: { name: "Vpc", version: "2016-04-28" },
    ecs: { name: "Ecs", version: "2014-05-26" },
    location: { name: "Location", version: "2015-06-12" },
    sts: { name: "Sts", version: "2015-04-01" },
    bssopenapi: { name: "BssOpenApi", version: "2017-12-14" },
} as const;

export type Product = keyof typeof products;
