/**
 * Commands that conduct a job: a run, an ingest, a study, an experiment, an import, a stack of
 * one's own; and what is looked at before.
 */
package org.fedometer.cli.load;
