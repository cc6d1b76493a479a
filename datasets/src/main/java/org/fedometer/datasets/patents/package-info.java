/** Patents, generated or read from XML files, and the objects made from them. */
package org.fedometer.datasets.patents;
