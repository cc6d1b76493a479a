/**
 * The machine that a job runs on: processors, memory, disks, versions, addresses, clocks, and what
 * goes into a run's record of them.
 */
package org.fedometer.experiments.host;
