/** Dublin Core records of theses in a hierarchy of collections. */
package org.fedometer.datasets.ndltd;
