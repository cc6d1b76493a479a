/** The collector as a separate process. */
package org.fedometer.cli.collector;
