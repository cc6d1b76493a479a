/** Metrics in the text format of Prometheus. */
package org.fedometer.collector.metrics;
