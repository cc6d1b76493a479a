/**
 * What a job sends to the collector besides the samples of the agent: documents, logs, collections
 * of garbage, measurements of others; and the collector of the job's own, where it has one.
 */
package org.fedometer.experiments.collect;
