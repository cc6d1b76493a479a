/**
 * Files of a run on this host, for queries and a resume: the journal, the record of its job,
 * Fedora's home, the control socket, and {@code run.json}.
 */
package org.fedometer.experiments.record;
