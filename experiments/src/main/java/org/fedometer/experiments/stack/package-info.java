/**
 * The stack of a run as a job sees it: installed, started, started again after its processes have
 * ended, and described.
 */
package org.fedometer.experiments.stack;
