// Command pulumi-resource-alicloud is Pulumi's resource plugin for Alibaba Cloud, with the resource types and functions
// that the project and its tests use.
package main

import (
	"encoding/json"
	"io"
	"log"
	"maps"

	"github.com/aliyun/terraform-provider-alicloud/alicloud"
	"github.com/hashicorp/terraform-plugin-sdk/helper/schema"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfgen"
	shim "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim/sdk-v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
)

const name = "alicloud"

// version is set by the linker.
var version string

// Names of the resource types in Pulumi, as module and type, by their names in Terraform.
var resources = map[string][2]string{
	"alicloud_nlb_listener":                       {"nlb", "Listener"},
	"alicloud_nlb_load_balancer":                  {"nlb", "LoadBalancer"},
	"alicloud_nlb_server_group":                   {"nlb", "ServerGroup"},
	"alicloud_slb_acl":                            {"slb", "Acl"},
	"alicloud_slb_domain_extension":               {"slb", "DomainExtension"},
	"alicloud_slb_listener":                       {"slb", "Listener"},
	"alicloud_slb_load_balancer":                  {"slb", "ApplicationLoadBalancer"},
	"alicloud_slb_server_group":                   {"slb", "ServerGroup"},
	"alicloud_slb_server_group_server_attachment": {"slb", "ServerGroupServerAttachment"},
	"alicloud_nlb_loadbalancer_common_bandwidth_package_attachment": {
		"nlb", "LoadbalancerCommonBandwidthPackageAttachment",
	},
}

// Names of the functions in Pulumi, as module and function, by their names in Terraform.
var functions = map[string][2]string{
	"alicloud_nlb_listeners":     {"nlb", "getListeners"},
	"alicloud_slb_server_groups": {"slb", "getServerGroups"},
}

func main() {
	info := provider()
	description, err := tfgen.GenerateSchemaWithOptions(tfgen.GenerateSchemaOptions{
		ProviderInfo:    info,
		DiagnosticsSink: diag.DefaultSink(io.Discard, io.Discard, diag.FormatOptions{Color: colors.Never}),
		XInMemoryDocs:   true,
	})
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(description.PackageSpec)
	if err != nil {
		log.Fatal(err)
	}
	tfbridge.Main(name, version, info, text)
}

func provider() tfbridge.ProviderInfo {
	terraform := alicloud.Provider().(*schema.Provider)
	keep(terraform.ResourcesMap, resources)
	keep(terraform.DataSourcesMap, functions)
	info := tfbridge.ProviderInfo{
		P:           shim.NewProvider(terraform),
		Name:        name,
		Version:     version,
		GitHubOrg:   "aliyun",
		Resources:   map[string]*tfbridge.ResourceInfo{},
		DataSources: map[string]*tfbridge.DataSourceInfo{},
		Config: map[string]*tfbridge.SchemaInfo{
			"ecs_role_name": fromVariable("ALICLOUD_ECS_ROLE_NAME"),
			"profile":       fromVariable("ALICLOUD_PROFILE"),
			"region":        fromVariable("ALICLOUD_REGION"),
		},
	}
	for key, place := range resources {
		info.Resources[key] = &tfbridge.ResourceInfo{Tok: tfbridge.MakeResource(name, place[0], place[1])}
	}
	for _, key := range []string{"alicloud_slb_acl", "alicloud_slb_server_group"} {
		info.Resources[key].Fields = map[string]*tfbridge.SchemaInfo{"name": tfbridge.AutoName("name", 255, "-")}
	}
	for key, place := range functions {
		info.DataSources[key] = &tfbridge.DataSourceInfo{Tok: tfbridge.MakeDataSource(name, place[0], place[1])}
	}
	return info
}

// keep removes the types that have no name in Pulumi.
func keep(types map[string]*schema.Resource, names map[string][2]string) {
	maps.DeleteFunc(types, func(key string, _ *schema.Resource) bool {
		_, isNamed := names[key]
		return !isNamed
	})
}

func fromVariable(variable string) *tfbridge.SchemaInfo {
	return &tfbridge.SchemaInfo{Default: &tfbridge.DefaultInfo{EnvVars: []string{variable}}}
}
