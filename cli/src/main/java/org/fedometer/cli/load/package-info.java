/**
 * Commands that conduct a job (run, ingest, study, experiment, import, stack), and the checks
 * before it.
 */
package org.fedometer.cli.load;
