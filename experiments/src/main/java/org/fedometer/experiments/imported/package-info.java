/**
 * Reads other tools' measurements: durations, and results of JMeter, YCSB, k6, Gatling and
 * hyperfine. Independent of runs and collectors; {@code ImportJob} makes a run of them.
 */
package org.fedometer.experiments.imported;
