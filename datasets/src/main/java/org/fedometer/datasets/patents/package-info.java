/** Patents, made up or read from XML files, and the objects that are made of them. */
package org.fedometer.datasets.patents;
