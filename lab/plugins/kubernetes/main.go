// Command pulumi-resource-kubernetes is Pulumi's resource plugin for Kubernetes.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

// version is set by the linker.
var version string

func main() {
	program, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	beside := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(program), name))
		if err != nil {
			log.Fatal(err)
		}
		return text
	}
	// The schema of the module has no version, and programs in YAML need it.
	schema := bytes.Replace(beside("schema.json"), []byte("{"), fmt.Appendf(nil, "{%q: %q,", "version", version), 1)
	provider.Serve("kubernetes", version, schema, beside("terraform-mapping.json"))
}
