//go:build !before1_33

package main

import (
	networking "k8s.io/api/networking/v1"
)

func init() {
	roots = append(roots,
		networking.IPAddress{}, networking.ServiceCIDR{})
}
