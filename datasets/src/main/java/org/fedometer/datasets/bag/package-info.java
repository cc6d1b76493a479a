/** A dataset on disk: BagIt bags of FOXML files. */
package org.fedometer.datasets.bag;
