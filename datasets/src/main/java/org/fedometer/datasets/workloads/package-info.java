/** Small generated datasets of one shape each, after other studies of repositories. */
package org.fedometer.datasets.workloads;
