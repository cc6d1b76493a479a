/**
 * How the bytes of a datastream come to Fedora: in the object, in a request of their own, or from a
 * server that Fedora fetches them from.
 */
package org.fedometer.driver.content;
