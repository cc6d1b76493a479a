/**
 * Common parts of all jobs: {@link org.fedometer.experiments.job.Step} and its failure, the {@link
 * org.fedometer.experiments.job.JobListener}, interruption, a run's name, and text formats.
 */
package org.fedometer.experiments.job;
