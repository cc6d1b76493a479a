/** Options and values that several groups of commands have, and what is looked up for them. */
package org.fedometer.cli.option;
