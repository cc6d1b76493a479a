/** Traces of one object, from the driver's request to the stages within Fedora. */
package org.fedometer.analysis.trace;
