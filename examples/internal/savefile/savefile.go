// Package savefile replaces files as a whole, for the programs beside it.
package savefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the named file, or creates it. The data goes to a temporary file
// in the same folder first, which then takes the name: whatever happens, the file
// holds either what it did or all of the data. A symbolic link stays, and the
// file it leads to is replaced; what is there and not a regular file is an error.
func Write(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	switch old, err := os.Stat(name); {
	case err == nil && !old.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", name)
	case err == nil:
		mode = old.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temp.Name()))
	}
	return err
}
