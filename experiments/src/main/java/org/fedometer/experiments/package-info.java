/**
 * Brings profile, dataset, driver and collector together into jobs: {@link
 * org.fedometer.experiments.LoadJob} is one run, from the installation of its Fedora to the sealed
 * folder, or into a Fedora that is somebody's, {@link
 * org.fedometer.experiments.series.ExperimentJob} many in the order of a plan; others bring a
 * Fedora up, attach to one, or import what was measured elsewhere. A job is conducted by its
 * caller's thread and tells a {@link org.fedometer.experiments.job.JobListener} how far it is. The
 * packages below have a job's parts, and none of them needs this one, but for {@code series}, whose
 * runs are jobs.
 */
package org.fedometer.experiments;
