module github.com/alibabacloud-go/alibabacloud-gateway-oss

go 1.25.0

require github.com/alibabacloud-go/alibabacloud-gateway-spi v0.0.5
