// Reads the published history of a Countersign with the programs of the Go checksum database: golang.org/x/mod/sumdb/note and tlog.
//
//	tlog-check FOLDER KEY < proofs.json
//
// FOLDER holds `checkpoint` and `tile/entries`, KEY is the text of the public key. Prints `SIZE ROOT` when the signature, the root over all leaves and every proof are right, and ends
// with 1 and a reason otherwise.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const bundle = 256

type proofs struct {
	Inclusion []struct {
		Index int64
		Size  int64
		Root  tlog.Hash
		Leaf  string
		Proof tlog.RecordProof
	}
	Consistency []struct {
		From     int64
		FromRoot tlog.Hash
		Size     int64
		Root     tlog.Hash
		Proof    tlog.TreeProof
	}
	// Answers of GET /admin/v1/audit?proofs=true.
	Pages []struct {
		Checkpoint string
		Entries    []struct {
			Sequence int64
			Proof    struct {
				State     string
				LeafIndex int64
				Leaf      string
				Hashes    tlog.RecordProof
				Data      string
			}
		}
	}
}

func main() {
	if err := check(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(folder, key string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return err
	}
	size, root, err := open(text, verifier)
	if err != nil {
		return err
	}
	counted, err := rootOf(folder, size)
	if err != nil {
		return err
	}
	if counted != root {
		return fmt.Errorf("the leaves have the root %v, not %v", counted, root)
	}
	var given proofs
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	for _, p := range given.Inclusion {
		if err := tlog.CheckRecord(p.Proof, p.Size, p.Root, p.Index, tlog.RecordHash([]byte(p.Leaf))); err != nil {
			return fmt.Errorf("leaf %d of %d: %w", p.Index, p.Size, err)
		}
	}
	for _, p := range given.Consistency {
		if err := tlog.CheckTree(p.Proof, p.Size, p.Root, p.From, p.FromRoot); err != nil {
			return fmt.Errorf("from %d to %d: %w", p.From, p.Size, err)
		}
	}
	for _, page := range given.Pages {
		size, root, err := open([]byte(page.Checkpoint), verifier)
		if err != nil {
			return err
		}
		for _, entry := range page.Entries {
			p := entry.Proof
			if p.State != "PROVEN" {
				return fmt.Errorf("entry %d is %s", entry.Sequence, p.State)
			}
			if err := tlog.CheckRecord(p.Hashes, size, root, p.LeafIndex, tlog.RecordHash([]byte(p.Leaf))); err != nil {
				return fmt.Errorf("entry %d: %w", entry.Sequence, err)
			}
			data := sha256.Sum256([]byte(p.Data))
			fields := strings.Split(p.Leaf, " ")
			if len(fields) != 7 || fields[2] != strconv.FormatInt(entry.Sequence, 10) || fields[6] != base64.RawURLEncoding.EncodeToString(data[:]) {
				return fmt.Errorf("entry %d: the leaf is that of another one", entry.Sequence)
			}
		}
	}
	fmt.Println(size, root)
	return nil
}

// Size and root of a checkpoint that the key has signed.
func open(text []byte, verifier note.Verifier) (int64, tlog.Hash, error) {
	opened, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return 0, tlog.Hash{}, fmt.Errorf("the note is no checkpoint of %s", verifier.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return 0, tlog.Hash{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return size, root, err
}

// The root over the leaves in the bundles (C2SP tlog-tiles).
func rootOf(folder string, size int64) (tlog.Hash, error) {
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = stored[index]
		}
		return hashes, nil
	})
	for start := int64(0); start < size; start += bundle {
		count := min(bundle, size-start)
		leaves, err := leavesOf(folder, start/bundle, count)
		if err != nil {
			return tlog.Hash{}, err
		}
		for i, leaf := range leaves {
			hashes, err := tlog.StoredHashes(start+int64(i), leaf, read)
			if err != nil {
				return tlog.Hash{}, err
			}
			stored = append(stored, hashes...)
		}
	}
	return tlog.TreeHash(size, read)
}

func leavesOf(folder string, number, count int64) ([][]byte, error) {
	path := fmt.Sprintf("%03d", number%1000)
	for number >= 1000 {
		number /= 1000
		path = fmt.Sprintf("x%03d/%s", number%1000, path)
	}
	if count < bundle {
		path += ".p/" + strconv.FormatInt(count, 10)
	}
	bytes, err := os.ReadFile(filepath.Join(folder, "tile/entries", path))
	if err != nil {
		return nil, err
	}
	var leaves [][]byte
	for len(bytes) >= 2 {
		length := int(binary.BigEndian.Uint16(bytes))
		if len(bytes) < 2+length {
			break
		}
		leaves = append(leaves, bytes[2:2+length])
		bytes = bytes[2+length:]
	}
	if int64(len(leaves)) != count || len(bytes) > 0 {
		return nil, fmt.Errorf("%s holds %d leaves, not %d", path, len(leaves), count)
	}
	return leaves, nil
}
