/** What a Prometheus reads of this collector, told by whatever has the figure. */
package org.fedometer.collector.metrics;
