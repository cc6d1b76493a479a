/** The collector as a process of its own. */
package org.fedometer.cli.collector;
