/** The collector as a Log4j2 socket server, beside the last one that Log4j2 had itself. */
package org.fedometer.benchmarks.log4j2;
