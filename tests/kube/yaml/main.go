// Yaml reads texts as the API server and kubectl do. Each line of its input is a JSON string with a text in base64;
// each line of its output has the JSON of the text or the error, and the error of strict decoding if there is one. Which
// error is found first may depend on the random order of maps, so that the others are found by reading it again.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

type answer struct {
	JSON   string   `json:"json,omitempty"`
	Error  string   `json:"error,omitempty"`
	Others []string `json:"others,omitempty"`
	Strict string   `json:"strict,omitempty"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	encoder := json.NewEncoder(out)
	for in.More() {
		var text []byte
		if err := in.Decode(&text); err != nil {
			log.Fatal(err)
		}
		var read answer
		if value, err := yaml.YAMLToJSON(text); err != nil {
			read.Error = err.Error()
			if strings.HasPrefix(read.Error, "unsupported map key") {
				read.Others = others(text, read.Error)
			}
		} else {
			read.JSON = string(value)
		}
		if _, err := yaml.YAMLToJSONStrict(text); err != nil {
			read.Strict = err.Error()
		}
		if err := encoder.Encode(read); err != nil {
			log.Fatal(err)
		}
	}
}

// others returns the errors other than first of reading a text again and again.
func others(text []byte, first string) []string {
	var found []string
	for range 100 {
		_, err := yaml.YAMLToJSON(text)
		if err != nil && err.Error() != first && !slices.Contains(found, err.Error()) {
			found = append(found, err.Error())
		}
	}
	return found
}
