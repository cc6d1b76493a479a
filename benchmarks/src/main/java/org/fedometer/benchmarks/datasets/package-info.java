/** How fast objects are made. */
package org.fedometer.benchmarks.datasets;
