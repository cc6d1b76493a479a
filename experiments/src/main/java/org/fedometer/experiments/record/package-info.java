/**
 * What a run leaves on this host for whoever asks or goes on with it: the journal, the record of
 * its job, Fedora's home, the socket by which a running one is asked and told, and {@code
 * run.json}.
 */
package org.fedometer.experiments.record;
