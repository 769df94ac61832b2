// Package client stands for the client of OSS, which the plugin links and this project never calls.
package client

import (
	"errors"

	spi "github.com/alibabacloud-go/alibabacloud-gateway-spi/client"
)

// Client has no methods of its own.
type Client struct{ spi.ClientInterface }

// NewClient returns an error.
func NewClient() (*Client, error) {
	return nil, errors.New("this build of the plugin has no OSS")
}
