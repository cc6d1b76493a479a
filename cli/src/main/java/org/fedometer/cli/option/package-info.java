/** Options and values shared by several groups of commands, and lookups for them. */
package org.fedometer.cli.option;
