/**
 * What all commands print to and read from: the terminal, tables, pages, exit codes, errors in
 * plain words, Ctrl-C.
 */
package org.fedometer.cli.terminal;
