// Program sdks writes the Python and the Go SDK of a package schema: sdks <schema.json> <folder>.
//
// It calls the generators that `pulumi package gen-sdk` calls by way of the language hosts for Python and Go, which are
// no published modules.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return err
	}
	if len(diagnostics) > 0 { // warnings, too
		return diagnostics
	}
	inPython, err := python.GeneratePackage("sdks", pkg, nil, nil)
	if err != nil {
		return err
	}
	inGo, err := gogen.GeneratePackage("sdks", pkg, nil)
	if err != nil {
		return err
	}
	for language, files := range map[string]map[string][]byte{"python": inPython, "go": inGo} {
		for name, content := range files {
			path := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
