/**
 * Rollups: ten seconds of a stage as counts, sums and a histogram. Created when a segment is
 * sealed, and live by the collector.
 */
package org.fedometer.store.rollup;
