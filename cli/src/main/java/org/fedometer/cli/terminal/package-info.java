/** Terminal, tables, pages, exit codes, error messages and Ctrl-C, shared by all commands. */
package org.fedometer.cli.terminal;
