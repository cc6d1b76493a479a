/**
 * Jobs that combine profile, dataset, driver and collector. {@link
 * org.fedometer.experiments.LoadJob} is one run, from Fedora's installation to the sealed folder,
 * or into an existing Fedora. {@link org.fedometer.experiments.series.ExperimentJob} makes many by
 * a plan. Others start a Fedora, attach to one, or import measurements.
 *
 * <p>A job runs on its caller's thread and reports progress to a {@link
 * org.fedometer.experiments.job.JobListener}. The packages below have a job's parts and do not
 * depend on this one, except {@code series}, whose runs are jobs.
 */
package org.fedometer.experiments;
