/**
 * Commands about a Fedora that is there: what belongs to it, whether all is in it, how it is
 * mended.
 */
package org.fedometer.cli.repository;
