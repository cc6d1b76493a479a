/**
 * Where a collector's log goes: in lines that steer no terminal, to files that do not grow; and how
 * often what fails again and again is told there.
 */
package org.fedometer.collector.log;
