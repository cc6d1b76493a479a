/**
 * Resource usage of a stack's processes and counters of its database during an ingest: read from
 * {@code /proc} and by SQL, sent to the collector as telemetry.
 */
package org.fedometer.experiments.telemetry;
