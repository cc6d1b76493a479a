/**
 * What a stack's processes and its database use while a run ingests: read from {@code /proc} and by
 * SQL, sent to the collector as telemetry.
 */
package org.fedometer.experiments.telemetry;
