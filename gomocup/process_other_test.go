//go:build !unix

package gomocup

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// requireGone checks that the process has been waited for.
func requireGone(t *testing.T, c *Client) {
	t.Helper()
	assert.NotNil(t, c.cmd.ProcessState)
}
