/** Metrics in the text format of Prometheus, each added by the class that has its figure. */
package org.fedometer.collector.metrics;
