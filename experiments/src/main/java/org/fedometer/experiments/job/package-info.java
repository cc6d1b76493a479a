/**
 * What all jobs have: {@link org.fedometer.experiments.job.Step} and how it fails, the {@link
 * org.fedometer.experiments.job.JobListener} that is told, interruption, a run's name, and the
 * words in which all of it is said.
 */
package org.fedometer.experiments.job;
