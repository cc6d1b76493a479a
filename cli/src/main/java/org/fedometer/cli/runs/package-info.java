/** Commands on stored runs. */
package org.fedometer.cli.runs;
