/**
 * Brings profile, dataset, driver and collector together into jobs: {@link
 * org.fedometer.experiments.MainJob} is one run, from the installation of its Fedora to the sealed
 * folder, {@link org.fedometer.experiments.IngestJob} one into a Fedora that is somebody's, {@link
 * org.fedometer.experiments.ExperimentJob} many in the order of a plan; others bring a Fedora up,
 * attach to one, or import what was measured elsewhere. A job is conducted by its caller's thread
 * and tells a {@link org.fedometer.experiments.JobListener} how far it is.
 */
package org.fedometer.experiments;
