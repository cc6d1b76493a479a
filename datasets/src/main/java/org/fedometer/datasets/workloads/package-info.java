/** Small generated datasets of one form each, after other studies of repositories. */
package org.fedometer.datasets.workloads;
