// Package vectors holds the published test vectors of the port protocol, their
// schema, and the pages that define them, embedded for Go programs. People
// without Go get the same files from `crosscheck copy`.
//
// PROTOCOL.md defines the operations and encodings, COMPATIBILITY.md what may
// change between versions.
package vectors

import "embed"

// Version is the version of the vectors; see COMPATIBILITY.md.
const Version = "1.1.0"

// Dir is the directory of Files with one JSON file per operation, and digests.json.
const Dir = "v1"

// Files holds Dir, schema/, malformed.json and the Markdown pages.
//
//go:embed v1 schema *.md malformed.json
var Files embed.FS
