/**
 * All datasets by name: {@link org.fedometer.datasets.catalogue.Datasets} opens one with its
 * parameters.
 */
package org.fedometer.datasets.catalogue;
