/** Where a collector's log goes: in lines that steer no terminal, to files that do not grow. */
package org.fedometer.collector.log;
