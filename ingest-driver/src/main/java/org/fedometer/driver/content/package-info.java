/**
 * How the bytes of a datastream get into Fedora: with the object, in a separate request, or from a
 * server that Fedora fetches them from.
 */
package org.fedometer.driver.content;
