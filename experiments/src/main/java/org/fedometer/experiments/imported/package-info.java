/**
 * Reads what other tools have measured: durations one a line, and results of JMeter, YCSB, k6,
 * Gatling and hyperfine. Knows nothing of runs and collectors; {@code ImportJob} makes a run of
 * what comes out here.
 */
package org.fedometer.experiments.imported;
