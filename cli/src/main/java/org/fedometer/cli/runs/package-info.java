/** Commands about runs that are on record. */
package org.fedometer.cli.runs;
