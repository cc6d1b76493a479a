/**
 * A job's data for the collector besides the agent's samples: documents, logs, GC pauses, imported
 * measurements; and the job's own collector, if any.
 */
package org.fedometer.experiments.collect;
