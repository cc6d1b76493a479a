/**
 * The machine of a job: processors, memory, disks, versions, addresses, clocks, and their record in
 * a run.
 */
package org.fedometer.experiments.host;
