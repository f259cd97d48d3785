//go:build !before1_37

package main

import (
	resource "k8s.io/api/resource/v1"
	storagemigration "k8s.io/api/storagemigration/v1"
)

func init() {
	roots = append(roots,
		resource.DeviceTaintRule{},
		storagemigration.StorageVersionMigration{})
}
